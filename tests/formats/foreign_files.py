"""Short files in the exact form of other programs.

Sources: CVAT's own XML as in the
assets of Datumaro (MIT) and the XML of its documentation (MIT); label files and data.yaml of
Ultralytics, of Roboflow and of a pose set, as documented; Label Studio's export and JSON-MIN as its
SDK (Apache-2.0) describes them; Tesseract's hOCR as in the tests of hocr-tools (Apache-2.0);
elements of CubiCasa5k and of FloorPlanCAD as published; the first lines of P0000.txt of DOTA; METS as
OCR-D writes it.
"""

# ruff: noqa: E501

from __future__ import annotations

from pathlib import Path

from PIL import Image

CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <id>4</id>
      <name>plans</name>
      <size>2</size>
      <mode>annotation</mode>
      <labels>
        <label>
          <name>door</name>
          <color>#ff6037</color>
          <type>any</type>
          <attributes>
            <attribute>
              <name>hinge</name>
              <mutable>False</mutable>
              <input_type>select</input_type>
              <default_value>left</default_value>
              <values>left
right</values>
            </attribute>
          </attributes>
        </label>
        <label>
          <name>1</name>
          <color>#d12345</color>
          <type>points</type>
          <attributes></attributes>
          <parent>skeleton</parent>
        </label>
      </labels>
    </task>
    <dumped>2024-03-01 10:00:00.0+00:00</dumped>
  </meta>
  <image id="0" name="plans/plan_1.png" subset="train" task_id="4" width="400" height="300">
    <box label="door" source="manual" occluded="1" xtl="10.50" ytl="20.00" xbr="50.50" ybr="40.00" z_order="0">
      <attribute name="hinge">right</attribute>
    </box>
    <box label="door" source="manual" occluded="0" xtl="100.00" ytl="100.00" xbr="140.00" ybr="120.00" rotation="90.00" z_order="0">
    </box>
    <polygon label="room" source="manual" occluded="0" points="1.00,2.00;90.00,2.00;90.00,60.00" z_order="0">
    </polygon>
    <ellipse label="basin" source="manual" occluded="0" cx="200.00" cy="150.00" rx="20.00" ry="10.00" z_order="0">
    </ellipse>
    <mask label="ink" source="semi-auto" occluded="0" rle="1, 2, 1, 4" left="300" top="200" width="4" height="2" z_order="0">
    </mask>
    <polyline label="pipe" source="manual" occluded="0" points="1.00,2.00;3.00,4.00" z_order="0">
    </polyline>
    <points label="corner" source="manual" occluded="0" points="5.00,5.00" z_order="0">
    </points>
    <tag label="scanned" source="manual"></tag>
  </image>
  <image id="1" name="plans/plan_2.png" width="400" height="300">
  </image>
</annotations>
"""


YAML = """# Ultralytics AGPL-3.0 License - https://ultralytics.com/license
path: ../datasets/plans # dataset root dir
train: images/train # train images (relative to 'path')
val: images/val
test: # test images (optional)

# Classes
names:
  0: bed
  1: sofa

# Download script/URL (optional)
download: |
  names: [wrong]
"""


def label_studio(value: dict[str, object], kind: str, **more: object) -> dict[str, object]:
    return {
        "original_width": 400, "original_height": 300, "image_rotation": 0, "value": value,
        "id": "x1", "from_name": "label", "to_name": "image", "type": kind, "origin": "manual",
        **more,
    }  # fmt: skip


RECTANGLE = {"x": 10, "y": 10, "width": 20, "height": 10, "rotation": 0}


HOCR = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
    "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
 <head>
  <title></title>
  <meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>
  <meta name='ocr-system' content='tesseract 4.0.0-rc2-1095-gae3aa' />
 </head>
 <body>
  <div class='ocr_page' id='page_1' title='image "alice_1.png"; bbox 0 0 2488 3507; ppageno 0'>
   <div class='ocr_carea' id='block_1_1' title="bbox 470 528 1383 585">
    <p class='ocr_par' id='par_1_1' lang='eng' title="bbox 470 528 1383 585">
     <span class='ocr_line' id='line_1_1' title="bbox 470 528 1383 585; baseline 0.005 -5; x_size 61">
      <span class='ocrx_word' id='word_1_1' title='bbox 470 530 499 580; x_wconf 89'>
       <span class='ocrx_cinfo' title='x_bboxes 470 530 499 580; x_conf 98.534996'>1</span>
        <span class='ocrx_cinfo' id='lstm_choices_1_1_1'>
         <span class='ocrx_cinfo' id='choice_1_1_1' title='x_confs 85.755959'>1</span>
         <span class='ocrx_cinfo' id='choice_1_1_2' title='x_confs 31.475941'>l</span>
        </span>
      </span>
      <span class='ocrx_word' id='word_1_2' title='bbox 588 528 787 581; x_wconf 93'><strong>Down &amp;</strong></span>
      <span class='ocrx_word' id='word_1_3' title='bbox 800 528 810 581; x_wconf 3'> </span>
     </span>
    </p>
   </div>
  </div>
 </body>
</html>
"""


CUBICASA = """<?xml version="1.0" encoding="UTF-8"?>
<svg baseProfile="full" width="1400" height="500" viewBox="0 0 1400 500" xmlns="http://www.w3.org/2000/svg"><g
class="Model v1-1"><g class="Floor"><g class="Floorplan Floor-1">
<g id="853e2235-4100-46f2-90a0-8a3af729de74" class="Space LivingRoom" fill="#ffffff"><polygon
points="1277.38,418.79 741.84,418.79 741.84,37.56 1277.38,37.56 "/><g class="SpaceDimensionsLabel"
transform="matrix(1,0,0,1,900,200)"><g class="TextLabel NameLabel"><text>OH</text></g></g></g>
<g id="Wall" class="Wall External"><polygon points="118.00,21.56 1293.38,21.56 1277.38,37.56 133.97,37.56 "/><g
id="Door" class="Door Swing Opposite"><polygon points="293.38,26.93 293.38,36.15 277.38,36.15 277.38,26.93 "/><g
class="Panel"><polygon points="1,1 9,1 9,9"/></g></g></g>
<g class="FixedFurnitureSet" transform="matrix(1,0,0,1,100,0)"><g class="FixedFurniture ElectricalAppliance
IntegratedStove" transform="matrix(0,1,-1,0,100,200)"><g class="BoundaryPolygon"><polygon
points="2 2 58 2 58 58 2 58"/></g><g class="OuterCircle"><circle cx="16" cy="16" r="8"/></g></g>
<g class="FixedFurniture Toilet"><g><rect x="0" y="0" width="41" height="71"/><path d="M0,71 L 50,71"/></g><g
class="Direction" style="display: none;"><polygon points="0,0 900,0 0,900"/></g></g></g>
<g class="Stairs"><g class="Flight"><polygon points="1,1 9,1 9,9"/></g></g>
</g></g></g></svg>
"""


FLOORPLANCAD = """<svg tag="svg" version="1.1" viewBox="0 0 140.0 140.0" xmlns="http://www.w3.org/2000/svg">
<g tag="g"><path d="M 133.19129750000002,93.5 L 140.0,93.5" fill="none" instanceId="-1" semanticId="33"
stroke="rgb(178,178,0)" stroke-width="0.1" tag="path"/>
<path d="M 115.0,94.5 L 115.0,101.5" fill="none" instanceId="7" semanticId="2"
stroke="rgb(0,178,178)" stroke-width="0.1" tag="path"/>
<path d="M 115.0,94.5 A 7.0,7.0 0.0 0,1 122.0,101.5" fill="none" instanceId="7" semanticId="2" tag="path"/>
<circle cx="20.0" cy="30.0" r="5.0" semanticId="14" instanceId="9" tag="circle"/>
<path d="M 1,1 L 2,2" tag="path"/></g></svg>
"""


DOTA = """imagesource:GoogleEarth
gsd:0.146343590398
2753 2408 2861 2385 2888 2468 2805 2502 plane 0
100 100 200 100 200 150 100 150 large-vehicle 1
"""


PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>
<Page imageFilename="OCR-D-IMG/{0}.tif" imageWidth="90" imageHeight="80"><TextRegion id="r1" type="{1}">
<Coords points="1,1 20,1 20,9"/></TextRegion></Page></PcGts>"""
METS = """<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<mets:fileSec><mets:fileGrp USE="OCR-D-IMG"><mets:file ID="I1" MIMETYPE="image/tiff">
<mets:FLocat LOCTYPE="URL" xlink:href="https://example.org/1.tif"/>
<mets:FLocat LOCTYPE="OTHER" OTHERLOCTYPE="FILE" xlink:href="OCR-D-IMG/1.tif"/></mets:file></mets:fileGrp>
{groups}</mets:fileSec><mets:structMap TYPE="PHYSICAL"><mets:div TYPE="physSequence">
<mets:div TYPE="page" ID="P2"><mets:fptr FILEID="GT-2"/></mets:div>
<mets:div TYPE="page" ID="P1"><mets:fptr FILEID="I1"/><mets:fptr FILEID="GT-1"/></mets:div>
</mets:div></mets:structMap></mets:mets>
"""
GROUP = """<mets:fileGrp USE="OCR-D-{0}-PAGE">{1}</mets:fileGrp>"""
FILE = """<mets:file ID="{0}-{1}" MIMETYPE="application/vnd.prima.page+xml"><mets:FLocat
LOCTYPE="OTHER" OTHERLOCTYPE="FILE" xlink:href="OCR-D-{0}-PAGE/{1}.xml"/></mets:file>"""


def workspace(folder: Path, *groups: str, pages: int = 2) -> Path:
    """A workspace of OCR-D with so many pages in each of these groups."""
    for group in groups:
        for number in range(1, pages + 1):
            file = folder / f"OCR-D-{group}-PAGE" / f"{number}.xml"
            file.parent.mkdir(exist_ok=True)
            file.write_text(PAGE.format(number, "caption" if group == "GT" else "heading"))
    listed = [GROUP.format(group, "".join(FILE.format(group, number) for number in range(1, pages + 1)))
              for group in groups]  # fmt: skip
    (folder / "mets.xml").write_text(METS.format(groups="".join(listed)))
    return folder / "mets.xml"


def image(path: Path, width: int = 400, height: int = 300) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("1", (width, height), 1).save(path)
    return path
